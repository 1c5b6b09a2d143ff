import { expect, it } from 'vitest'
import { isBinaryAsHtml } from '../../../src/features/browser/render/render-page.js'

const page = (body: string): string =>
  `<!DOCTYPE html><html><head><title>t</title></head><body class="x">${body}</body></html>`

it.each([
  ['a PDF file', page('%PDF-1.4\n1 0 obj')],
  ['compressed data', page('‰PNG\x1a\x01\x02\x03\x04\x05\x06\x07\x08\x0e\x0fÿØ')],
])('isBinaryAsHtml recognizes %s', (_, html) => {
  expect(isBinaryAsHtml(html)).toBe(true)
})

it.each([
  ['words', page('<p>%PDF-1.4 begins a file</p>')],
  ['a stray control character', page(`<p>${'words '.repeat(20)}\x0b\x01</p>`)],
  [
    'a page in the wrong charset',
    page(`<p>${'Gr\ufffd\ufffde aus K\ufffdln, wo es heute regnet und st\ufffdrmt. '.repeat(20)}</p>`),
  ],
  ['nothing', ''],
  ['no body', '%PDF-1.4'],
])('isBinaryAsHtml returns false for %s', (_, html) => {
  expect(isBinaryAsHtml(html)).toBe(false)
})
