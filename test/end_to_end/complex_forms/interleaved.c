      for (ptrdiff_t j = 0; j < 32; j += 2) {
        /* 5:29 */
        const doublev4 v4 = weft_load_v4d(&x_1[(k_1*32 + j)*2]);
        const doublev4 v5 = weft_load_v4d(&x_1[(k_1*32 + j)*2 + 256]);
        const doublev4 v6 = v4 + v5;
        simd_store(v6, &y_1[(k_1*32 + j)*2]);
        /* 6:37 */
        const doublev4 v7 = v4 - v5;
        const doublev4 v8 = simd_vshff(v7, v7, 177);
        const doublev4 v9 = v8 * v2;
        const doublev4 v10 = simd_vmad(v3, v7, v9);
        /* 5:13 */
        simd_store(v10, &y_1[(k_1*32 + j)*2 + 256]);
      }
