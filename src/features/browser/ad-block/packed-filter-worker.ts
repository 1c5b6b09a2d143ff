/** The code of the thread that compiles filter lists, for bundles. The build fills it in, see `build/bundle.mjs`. */
export const packed: string = ''
