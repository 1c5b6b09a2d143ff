import { describe, expect, it } from 'vitest'
import { readBlocks } from '../../../src/content/extract/blocks/read-blocks.js'
import { findPrice } from '../../../src/content/extract/selection/find-price.js'
import { findNeverShown } from '../../../src/content/extract/visibility/visibility.js'
import { parseHtml } from '../parse/pages.js'

/** Finds the offer of a page of which the content is the texts that match. */
function find(html: string, kept = /^never$/, title?: string): string[] {
  const [body] = parseHtml(html).tree.$('body')
  if (body === undefined) throw new Error('the page has no body')
  const read = readBlocks(body, findNeverShown(body))
  return findPrice(read, new Set(read.blocks.filter(({ text }) => kept.test(text))), title).map(({ text }) => text)
}

const title = '<h1>A mug of stoneware</h1>'
const card = (price: string): string => `<li><h3><a href="/m">A bowl</a></h3><span class="price">${price}</span></li>`
const related = `<h2>Others also bought</h2><ul>${['$1.50', '$2.50', '$3.50', '$4.50'].map(card).join('')}</ul>`

describe('the price of a product', () => {
  it.each([
    ['$12.50'],
    ['12,50 €'],
    ['1.250,- Kč'],
    ['EUR110.00'],
    ['99.00 NZD'],
    ['Rs. 1,299'],
    ['¥ 1200'],
    ['1 290 руб.'],
    ['₹ 499'],
    ['129,90 zł'],
  ])('is found in the element that is named so: %s', (price) => {
    expect(find(`${title}<div class="price">${price}</div><p>Holds a pint of tea.</p>${related}`)).toEqual([price])
  })

  it.each([
    ['a class further out', `<div class="product-price"><div><b>$12.50</b></div></div>`],
    ['a name in camel case', `<div class="productPrice"><p>$12.50</p></div>`],
    ['a word of the country', `<div class="cena"><p>$12.50</p></div>`],
    ['an id', `<ul id="price-list"><li>$12.50</li></ul>`],
  ])('is found by %s', (_, html) => {
    expect(find(`${title}${html}${related}`)).toEqual(['$12.50'])
  })

  it('comes with the former price and that without tax, and once if it is there twice', () => {
    const prices = '<p class="old">Was $20.00</p><p>$12.50</p><p>Sale price $12.50</p><p>without tax $10.50</p>'
    expect(find(`${title}<div class="price">${prices}</div>`)).toEqual(['Was $20.00', '$12.50', 'without tax $10.50'])
    expect(find(`${title}<div class="price">${prices}</div>`, /^Was/)).toContain('$12.50')
  })

  it('comes without a list of it in other currencies', () => {
    expect(find(`${title}<div class="price"><p>€12.50</p><ul><li>GBP 10.00</li><li>AUD 20.00</li></ul></div>`)).toEqual(
      ['€12.50'],
    )
  })

  it('is found beside a title that is no first heading', () => {
    const html = '<div class="name">A mug of stoneware</div><div class="price">$12.50</div>'
    expect(find(html, undefined, 'A mug of stoneware - Pots')).toEqual(['$12.50'])
    expect(find(html, undefined, 'Pots')).toEqual([])
  })

  it.each([
    ['in the cards of a category', `<h1>Bowls</h1><ul>${['$1.50', '$2.50', '$3.50'].map(card).join('')}</ul>`],
    ['of related products', `${title}<p>Holds a pint of tea.</p>${related}`],
    ['of a filter', `${title}<div class="price-filter"><p class="price">$0 - $500</p></div>`],
    ['of the delivery', `${title}<div class="delivery-price"><p>$4.90</p></div>`],
    ['in a menu', `${title}<nav><p class="price">$4.90</p></nav>`],
    ['in a text', `${title}<p>A mug like this one was sold for $4.90 in the year when the kiln was built.</p>`],
    ['of a page without a title', `<div class="price">$12.50</div>`],
  ])('is none that is %s', (_, html) => {
    expect(find(html)).toEqual([])
  })

  it('is not looked for if the content says another one near the title', () => {
    expect(find(`${title}<p>Now $9.90</p><div class="price">$12.50</div>`, /^Now/)).toEqual([])
  })
})

describe('the numbers of a product', () => {
  it.each([
    ['SKU: AB-1234'],
    ['Item # 418295'],
    ['Model Number: NC5100EF'],
    ['ISBN: 9780552173742'],
    ['Artikelnummer: 4711'],
    ['Référence : 33-12'],
    ['Артикул: 12345'],
  ])('are found with their names: %s', (line) => {
    expect(find(`${title}<div class="price">$12.50</div><p>${line}</p>`)).toEqual(['$12.50', line])
  })

  it('are not looked for on a page without an offer', () => {
    expect(find(`${title}<p>Item # 418295</p>`)).toEqual([])
  })
})
