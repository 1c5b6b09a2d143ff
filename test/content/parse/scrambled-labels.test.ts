import { expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'

const engine = createEngine({ threads: 0 })

const read = async (html: string): Promise<string> =>
  (await engine.parse({ url: 'https://site.test/', body: `<main><p>The tide turns at noon.</p>${html}</main>` }))
    .markdown

const uuid = (at: number): string => `19aea247-2e76-4b1${at}-9d3c-0123456789ab`
const scramble = (write: (letter: string, at: number) => string): string => Array.from('Sponsored', write).join('')

it.each([
  ['UUIDs', scramble((letter, at) => `<span>${letter}</span><span class="h">${uuid(at)}</span>`)],
  ['UUIDs within the letters', scramble((letter, at) => `<b>${letter}<i style="font-size:0">${uuid(at)}</i></b>`)],
  ['two UUIDs between syllables', `<span>Spon</span><i>${uuid(1)}</i><span>sor</span><i>${uuid(2)}</i><span>ed</span>`],
  [
    'digits',
    scramble((letter, at) => `<span>${letter}</span>\n<span>${uuid(at).replaceAll('-', '').slice(0, 20)}</span>`),
  ],
])('%s between the letters of a label are left out', async (_, letters) => {
  expect(await read(`<p>${letters}</p>`)).not.toMatch(/19aea247|2e76/)
})

it.each([
  [
    'in sentences',
    `<p>Run <span>${uuid(1)}</span> and run <span>${uuid(2)}</span>, then run <span>${uuid(3)}</span>.</p>`,
  ],
  [
    'between words',
    `<p><span>run</span> <span>${uuid(1)}</span> <span>or </span><span>${uuid(2)}</span> then <span>${uuid(3)}</span></p>`,
  ],
  ['in cells', `<table><tr><th>No<th>Id${[1, 2, 3].map((at) => `<tr><td>${at}<td>${uuid(at)}`).join('')}</table>`],
  ['in code', `<p>${[1, 2, 3].map((at) => `<code>${uuid(at)}</code>, `).join('')}</p>`],
  ['in items', `<ul>${[1, 2, 3].map((at) => `<li><span>${at}</span><span>${uuid(at)}</span>`).join('')}</ul>`],
])('UUIDs that are read are kept: %s', async (_, html) => {
  const markdown = await read(html)
  for (const at of [1, 2, 3]) expect(markdown).toContain(uuid(at))
})
