import { expect, it } from 'vitest'
import { imageTypeOf, mayRun } from '../../../src/features/mirror/folder/image-type.js'

const svg = (body: string, head = ''): Buffer =>
  Buffer.from(`${head}<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${body}</svg>`)

it.each([
  ['\x89PNG\r\n\x1a\n', 'png'],
  ['\xff\xd8\xff\xe0', 'jpg'],
  ['GIF89a', 'gif'],
  ['RIFF\0\0\0\0WEBPVP8 ', 'webp'],
  ['\0\0\0\x1cftypavif', 'avif'],
  ['<?xml version="1.0"?>\n<!-- made by hand -->\n<!DOCTYPE svg>\n<svg width="4">', 'svg'],
  ['<html><svg></svg></html>', undefined],
  ['%PDF-1.7', undefined],
  ['MZ\x90', undefined],
  ['<?php', undefined],
  ['', undefined],
])('tells by the bytes %j what a picture is', (bytes, type) => {
  expect(imageTypeOf(Buffer.from(bytes, 'latin1'))).toBe(type)
})

it.each([
  '<script>alert(1)</script>',
  '<svg:script xlink:href="x.js"/>',
  '<circle r="4" onclick="alert(1)"/>',
  '<circle r="4"\nonload\n =\n"alert(1)"/>',
  '<a href="javascript:alert(1)"><circle r="4"/></a>',
  '<a href="java&#10;script:alert(1)"><circle r="4"/></a>',
  '<a href="&#x6a;avascript:alert(1)"><circle r="4"/></a>',
  '<set attributeName="onclick" to="alert(1)"/>',
  '<foreignObject><iframe src="x.html"/></foreignObject>',
  '<use href="data:image/svg+xml;base64,PHN2Zz4="/>',
  '<image href="data:text/html,x"/>',
  '<scr\x1b(Bipt>',
  '<a href="java&#x0000000073;cript:alert(1)"><circle r="4"/></a>',
  '<a href="java&#00000000115;cript:alert(1)"><circle r="4"/></a>',
  '<use href="data: image/svg+xml;base64,PHN2Zz4="/>',
])('takes an SVG with %j for one that may run', (body) => {
  expect(mayRun(svg(body))).toBe(true)
})

it('takes an SVG with the entities of XHTML, which browsers know, for one that may run', () => {
  const type =
    '<!DOCTYPE svg PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">'
  const own = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">'
  const link = '<a href="javascript&colon;alert(1)"><circle r="4"/></a>'
  expect([mayRun(svg(link, type)), mayRun(svg('<circle r="4"/>', own))]).toEqual([true, false])
})

it.each([
  ['<circle r="4"/><text>Turn the lamp on = off, or only on = on</text>', ''],
  ['<foreignObject><div xmlns="http://www.w3.org/1999/xhtml">Input data: a description</div></foreignObject>', ''],
  [
    '<image href="data:image/png;base64,iVBORw0KGgo="/><style>@font-face{src:url(data:font/woff2;base64,d09G)}</style>',
    '',
  ],
  ['<path inkscape:connector-curvature="0" d="M0 0"/>', '<?xml version="1.0" encoding="UTF-8"?>\n'],
])('takes an SVG with %j for a picture', (body, head) => {
  expect([imageTypeOf(svg(body, head)), mayRun(svg(body, head))]).toEqual(['svg', false])
})
