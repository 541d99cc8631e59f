      for (ptrdiff_t j = 0; j < 32; j += 4) {
        /* 5:29 */
        const doublev4 v2 = weft_load_v4d(&x_1[(k_1*32 + j)*2]);
        const doublev4 v3 = weft_load_v4d(&x_1[(k_1*32 + j)*2 + 4]);
        const doublev4 v4 = simd_vshff(v3, v2, 136);
        const doublev4 v5 = simd_vshff(v3, v2, 221);
        const doublev4 v6 = weft_load_v4d(&x_1[(k_1*32 + j)*2 + 256]);
        const doublev4 v7 = weft_load_v4d(&x_1[(k_1*32 + j)*2 + 260]);
        const doublev4 v8 = simd_vshff(v7, v6, 136);
        const doublev4 v9 = simd_vshff(v7, v6, 221);
        const doublev4 v10 = v4 + v8;
        const doublev4 v11 = v5 + v9;
        /* 6:37 */
        const doublev4 v12 = v4 - v8;
        const doublev4 v13 = v5 - v9;
        const doublev4 v14 = v1 * v13;
        const doublev4 v15 = simd_vmsd(v0, v12, v14);
        const doublev4 v16 = v1 * v12;
        const doublev4 v17 = simd_vmad(v0, v13, v16);
        /* 5:13 */
        const doublev4 y_2 = weft_shuffle_both_v4d(simd_vshff(v11, v10, 55364 & 255), 55364 >> 8);
        simd_store(y_2, &y_1[(k_1*32 + j)*2]);
        const doublev4 y_3 = weft_shuffle_both_v4d(simd_vshff(v11, v10, 55534 & 255), 55534 >> 8);
        simd_store(y_3, &y_1[(k_1*32 + j)*2 + 4]);
        const doublev4 y_4 = weft_shuffle_both_v4d(simd_vshff(v17, v15, 55364 & 255), 55364 >> 8);
        simd_store(y_4, &y_1[(k_1*32 + j)*2 + 256]);
        const doublev4 y_5 = weft_shuffle_both_v4d(simd_vshff(v17, v15, 55534 & 255), 55534 >> 8);
        simd_store(y_5, &y_1[(k_1*32 + j)*2 + 260]);
      }
