/**
 * Generators of the parts of a growing page, by shape. Each part has a few hundred bytes and differs from the one
 * before.
 */
const shapes = {
  prose: (at: number) =>
    `<p>${sentence(at)} ${sentence(at + 1)} As ${word(at)} puts it, <em>${sentence(at + 2)}</em> ${sentence(at + 3)}</p>\n`,
  sections: (at: number) =>
    `<section id="part-${at}"><h2>${title(at)}</h2><p>${sentence(at)} <code>${word(at)}()</code> ${sentence(at + 1)}</p>\n<pre><code class="language-ts">const ${word(at)} = read(${at})\n// ${sentence(at + 2)}\nawait ${word(at)}.close()\n</code></pre></section>\n`,
  tables: (at: number) =>
    `<table><thead><tr><th>${title(at)}</th><th>${title(at + 1)}</th></tr></thead><tbody>${[0, 1, 2]
      .map((row) => `<tr><td>${sentence(at + row)}</td><td>${sentence(at + row + 5)} ${at * row}</td></tr>`)
      .join('\n')}</tbody></table>\n`,
  'one table': (at: number) =>
    `<tr><td>${sentence(at)}</td><td>${title(at)} ${at}</td><td>${sentence(at + 3)}</td></tr>\n`,
  lists: (at: number) =>
    `<ul><li>${sentence(at)}</li><li>${sentence(at + 1)}<ol><li>${sentence(at + 2)}</li><li>${sentence(at + 4)}</li></ol></li></ul>\n`,
  links: (at: number) =>
    `<div class="card"><h3><a href="/items/${at}-${word(at)}">${title(at)}</a></h3><a href="/by/${word(at + 1)}">${title(at + 1)}</a><p>${sentence(at)}</p></div>\n`,
  'inline elements': (at: number) =>
    `<p>${[0, 1, 2, 3].map((part) => `<b>${title(at + part)}</b> <a href="#${at + part}">${sentence(at + part)}</a>`).join(' ')}</p>\n`,
  'one text': (at: number) => `${sentence(at)} `,
} satisfies Record<string, (at: number) => string>

export type Shape = keyof typeof shapes
export const shapeNames = Object.keys(shapes) as Shape[]

const around: Partial<Record<Shape, readonly [string, string]>> = {
  'one table': ['<table><tbody>', '</tbody></table>'],
  'one text': ['<p>', '</p>'],
}

/** Generates a page of one shape, with a menu and a footer, of about `bytes` bytes. */
export function growPage(shape: Shape, bytes: number): string {
  const [open = '', close = ''] = around[shape] ?? []
  const menu = `<nav><ul>${Array.from({ length: 12 }, (_, at) => `<li><a href="/${word(at)}">${title(at)}</a></li>`).join('')}</ul></nav>`
  const parts = [
    `<!doctype html><html lang="en"><head><title>${title(1)}</title></head><body><header>${menu}</header><main><h1>${title(1)}</h1>${open}`,
  ]
  let length = 0
  for (let at = 0; length < bytes; at += 1) {
    const part = shapes[shape](at)
    parts.push(part)
    length += part.length
  }
  return `${parts.join('')}${close}</main><footer><p>${sentence(1)}</p></footer></body></html>`
}

const vocabulary =
  'harbour tide ledger window copper signal garden winter morning engine letter paper river market station bridge summer forest island number answer method pattern table record journey question measure quiet narrow early common northern slow plain open carries follows explains keeps shows turns reaches opens'.split(
    ' ',
  )

/** Returns the word at a position: always the same one, without a short period. */
const word = (at: number): string => vocabulary[(at * 7919 + (at >> 5) * 31) % vocabulary.length] ?? ''
const title = (at: number): string => `${word(at)} ${word(at + 3)} ${at}`
const sentence = (at: number): string =>
  `The ${word(at)} ${word(at + 11)} of the ${word(at + 2)} ${word(at + 17)}, and ${word(at + 5)} ${word(at + 6)} where ${at} was.`
