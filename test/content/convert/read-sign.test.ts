import { expect, test } from 'vitest'
import { markdown } from '../../../src/content/convert/formats/markdown.js'
import { extractHtml } from '../extract/contents.js'

/** Returns the Markdown of the second cell of a row. */
const cellOf = (cell: string, language = 'en'): string => {
  const table = `<table><tr><th>Plan<th>Free<tr><td>Export<td>${cell}</table>`
  const page = extractHtml(`<html lang="${language}"><body>${table}`)
  const converted = markdown.convert(page, { type: 'markdown' }, { removeBase64Images: true }).markdown
  return /\| Export \| ?(.*?) ?\|$/m.exec(converted)?.[1] ?? 'no such row'
}

test.each([
  ['an icon font', '<i class="fa-solid fa-check text-primary"></i>', 'Yes'],
  ['an older icon font', '<span class="glyphicon glyphicon-remove"></span>', 'No'],
  ['an icon inside of other elements', '<div class="cell"><span><i class="icon-x-mark xmark"></i></span></div>', 'No'],
  ['a class name that ends in the answer', '<span class="dashicons dashicons-yes"></span>', 'Yes'],
  ['an image by its file name', '<img src="/uploads/2018/11/tick.png?w=34" alt="">', 'Yes'],
  ['an image by a file name of two words', '<img src="/img/icon-cross.svg">', 'No'],
  ['an SVG sprite', '<svg class="icon"><use xlink:href="/sprite.svg#check"></use></svg>', 'Yes'],
  ['a check box that nobody can click', '<input type="checkbox" disabled checked>', 'Yes'],
  ['an empty check box that nobody can click', '<span><input type="CheckBox" disabled aria-label="x"></span>', 'No'],
  ['the label of an icon', '<svg aria-label="Included"><path d="M1 1"/></svg>', 'Included'],
  ['the title of an SVG image', '<svg><title>Not available</title><path d="M1 1"/></svg>', 'Not available'],
])('a table cell with only an icon gets the meaning of the icon: %s', (_, cell, said) => {
  expect(cellOf(cell)).toBe(said)
})

test('an icon in a table cell becomes a check mark or cross on a page in another language', () => {
  expect(cellOf('<i class="fa-check"></i>', 'fr')).toBe('✓')
  expect(cellOf('<i class="fa-times"></i>', 'de-AT')).toBe('✗')
})

test.each([
  ['a text beside the icon', '<i class="fa-check"></i> 5 GB', '5 GB'],
  ['a button', '<button class="close"></button>', ''],
  ['a link with an icon', '<a href="/x"><i class="fa-check"></i></a>', ''],
  ['an image with alternative text', '<img src="/tick.png" alt="Included">', '![Included](https://site.test/tick.png)'],
  ['stars', '<i class="fa fa-star"></i><i class="fa fa-star"></i>', ''],
  ['an icon with contradicting class names', '<i class="check cross"></i>', ''],
  ['a class that only begins like an answer', '<span class="no-padding yes-wide"></span>', ''],
  ['a check box', '<input type="checkbox" class="check">', ''],
  ['an image with a data URL', '<img src="data:image/png;base64,/check">', '![](<Base64-Image-Removed>)'],
])('a table cell without an unambiguous icon is unchanged: %s', (_, cell, said) => {
  expect(cellOf(cell)).toBe(said)
})

test('an icon outside of a table cell is dropped', () => {
  const page = extractHtml('<p><i class="fa-check"></i> Export</p>')
  expect(markdown.convert(page, { type: 'markdown' }, { removeBase64Images: true }).markdown).toBe('Export')
})
