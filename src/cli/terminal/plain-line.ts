/** Characters that end a line or move to a column: replaced by a space. */
const BREAKS = /[\t-\r\u0085\u2028\u2029]+/g
/** Characters that control a terminal, or the order in which it shows others: left out. @see https://www.unicode.org/reports/tr9/ */
export const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Makes one line of a text that may come from strangers, without anything that could control the terminal that shows it. */
export const toPlainLine = (text: string): string => text.replace(BREAKS, ' ').replace(CONTROLS, '')
