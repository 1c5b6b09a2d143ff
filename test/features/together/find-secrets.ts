/** Ways in which a text may stand in a table, a file or a value. */
const writings = (text: string): string[] => [
  text,
  Buffer.from(text).toString('hex'),
  encodeURIComponent(text),
  Buffer.from(text).toString('base64').replace(/=+$/, ''),
]

/** Lists the secrets that stand in texts, in any of the ways in which they may. */
export const findSecrets = (secrets: readonly string[], texts: readonly string[]): string[] =>
  secrets.filter((secret) => writings(secret).some((one) => texts.some((text) => text.includes(one))))
