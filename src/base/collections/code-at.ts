const { charCodeAt } = String.prototype

/**
 * Returns the UTF-16 unit at an offset of a text, which must be before its end.
 *
 * V8 has many kinds of strings, such as slices and joined ones. Code that has met five of them looks the method
 * `charCodeAt` up for each character, which took more than half of the time of a loop over texts. And code that has called
 * it once for an offset beyond the end calls it as a function for all others.
 */
export const codeAt = (text: string, at: number): number => charCodeAt.call(text, at)
