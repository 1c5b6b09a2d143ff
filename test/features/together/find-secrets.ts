/** Writes a text as addresses, JSON, HTML and programs do. */
export const encodingsOf = (text: string): string[] => {
  const bytes = Buffer.from(text)
  const json = JSON.stringify(text).slice(1, -1)
  const percent = encodeURIComponent(text)
  const form = new URLSearchParams({ '': text }).toString().slice(1)
  const lower = (one: string): string => one.replaceAll(/%../g, (code) => code.toLowerCase())
  const html = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
  return [
    text,
    bytes.toString('latin1'),
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    // As Basic sends it, and behind names of other lengths: each begins at another bit.
    ...['anna:', 'a:', 'ab:'].map((user) => Buffer.from(`${user}${text}`).toString('base64').replace(/=+$/, '')),
    Buffer.from(`anna:${text}:1`).toString('base64url'),
    Buffer.from(`anna:${text}`, 'latin1').toString('base64').replace(/=+$/, ''),
    encodeURIComponent(bytes.toString('base64')),
    percent,
    lower(percent),
    encodeURI(text),
    form,
    lower(form),
    encodeURIComponent(percent),
    json,
    encodeURIComponent(json),
    html,
    encodeURIComponent(html),
  ]
}

/** Lists the secrets that stand in texts, in any of the ways in which they may. */
export const findSecrets = (secrets: readonly string[], texts: readonly string[]): string[] =>
  secrets.filter((secret) => encodingsOf(secret).some((one) => texts.some((text) => text.includes(one))))
