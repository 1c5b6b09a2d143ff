/** The code of the digest thread for bundles. The build fills it in, see `build/bundle.mjs`. */
export const packed: string = ''
