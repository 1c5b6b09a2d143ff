/** The code of the thread that talks to PostgreSQL, for bundles. The build fills it in, see `build/bundle.mjs`. */
export const packed: string = ''
