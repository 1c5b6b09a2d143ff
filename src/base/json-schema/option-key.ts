/** Maximum characters of a value that are compared with those of an option. */
const MAX_LENGTH = 200

/**
 * Signs that tell values from each other: a minus before a number, what stands between two digits (`1.5`, `10-20`), and punctuation
 * that is a part of a name or an amount (`C#`, `50 %`, `R&D`).
 */
const TELLING = /((?<![\p{L}\p{N}])[-\u2212](?=[\d.])|(?<=\d)[\s\p{P}]{1,5}(?=\d)|[#%&*@])/u
/** Blanks, punctuation and pictures. Signs of operators and currencies are none: `C++`, `<`, `\u20ac`. */
const MEANINGLESS = /[\s\p{P}\p{So}\p{Sk}]+/gu

/**
 * Returns the text by which a value means an option of a schema: `In Stock` means `in_stock`, but `C#` does not mean `C++`, and -1
 * does not mean 1. Empty for a value that only an equal option is meant by.
 */
export function optionKey(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return ''
  const parts = String(value).slice(0, MAX_LENGTH).toLowerCase().split(TELLING)
  // Every second part is a telling sign.
  return parts.map((part, at) => (at % 2 === 1 ? part : part.replace(MEANINGLESS, ''))).join('')
}

/** Finds the option that a value means; undefined if there is none, or several. */
export function findOption(value: unknown, options: readonly unknown[]): unknown {
  if (options.includes(value)) return value
  const key = optionKey(value)
  const meant = key === '' ? [] : options.filter((option) => optionKey(option) === key)
  return meant.length === 1 ? meant[0] : undefined
}
