/** Maximum number of pages that are searched for in a damaged file. */
const MAX_PAGES = 20_000

/**
 * Repairs a truncated file by appending a list of the pages that are left. Undefined for files with object streams and
 * for encrypted ones.
 *
 * @see ISO 32000-1 section 7.7.2
 */
export function repairPdf(body: Uint8Array): Uint8Array | undefined {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')
  if (text.includes('/Encrypt')) return undefined
  const pages: string[] = []
  let highest = 0
  for (const match of text.matchAll(/\/Type\s{0,4}\/Page(?![A-Za-z])/g)) {
    const start = text.lastIndexOf(' obj', match.index)
    const number = /(\d{1,9}) \d{1,5}$/.exec(text.slice(Math.max(0, start - 20), start))?.[1]
    if (number === undefined || text.indexOf('endobj', match.index) < 0 || pages.length >= MAX_PAGES) break
    pages.push(`${number} 0 R`)
    highest = Math.max(highest, parseInt(number, 10))
  }
  if (pages.length === 0) return undefined
  const [catalog, tree] = [highest + 1_000_001, highest + 1_000_000]
  const rest = [
    `\n${tree} 0 obj\n<< /Type /Pages /Count ${pages.length} /Kids [${pages.join(' ')}] >>\nendobj`,
    `${catalog} 0 obj\n<< /Type /Catalog /Pages ${tree} 0 R >>\nendobj`,
    `trailer\n<< /Root ${catalog} 0 R /Size ${catalog + 1} >>\nstartxref\n0\n%%EOF\n`,
  ].join('\n')
  // Readers skip data between a cross-reference table and its end.
  const list = text.lastIndexOf('\nxref')
  const isOpen = list >= 0 && text.indexOf('trailer', list) < 0
  return Buffer.concat([isOpen ? body.subarray(0, list) : body, Buffer.from(rest, 'latin1')])
}
