      for (ptrdiff_t j = 0; j < 32; j += 4) {
        /* 5:29 */
        const doublev4 v2 = weft_load_v4d(&x_1[(k_1*32 + j)*2]);
        const doublev4 v3 = weft_load_v4d(&x_1[(k_1*32 + j)*2 + 4]);
        const doublev4 v4 = weft_load_v4d(&x_1[(k_1*32 + j)*2 + 256]);
        const doublev4 v5 = weft_load_v4d(&x_1[(k_1*32 + j)*2 + 260]);
        const doublev4 v6 = v2 + v4;
        simd_store(v6, &y_1[(k_1*32 + j)*2]);
        const doublev4 v7 = v3 + v5;
        simd_store(v7, &y_1[(k_1*32 + j)*2 + 4]);
        /* 6:37 */
        const doublev4 v8 = v2 - v4;
        const doublev4 v9 = v3 - v5;
        const doublev4 v10 = simd_vshff(v9, v8, 136);
        const doublev4 v11 = simd_vshff(v9, v8, 221);
        const doublev4 v12 = v0 * v11;
        const doublev4 v13 = simd_vmsd(v1, v10, v12);
        const doublev4 v14 = v0 * v10;
        const doublev4 v15 = simd_vmad(v1, v11, v14);
        const doublev4 v16 = weft_shuffle_both_v4d(simd_vshff(v15, v13, 55364 & 255), 55364 >> 8);
        /* 5:13 */
        simd_store(v16, &y_1[(k_1*32 + j)*2 + 256]);
        /* 6:29 */
        const doublev4 v17 = weft_shuffle_both_v4d(simd_vshff(v15, v13, 55534 & 255), 55534 >> 8);
        /* 5:13 */
        simd_store(v17, &y_1[(k_1*32 + j)*2 + 260]);
      }
