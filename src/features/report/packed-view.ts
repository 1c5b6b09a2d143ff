/** The page of a report, deflated and in base64. The build fills it in, see `build/bundle.mjs`. */
export const packed: string = ''
