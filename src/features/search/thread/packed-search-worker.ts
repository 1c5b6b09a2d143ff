/** The code of the thread that has the index, for bundles. The build fills it in, see `build/bundle.mjs`. */
export const packed: string = ''
