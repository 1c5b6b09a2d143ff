import { describe, expect, it } from 'vitest'
import { markdownOf } from '../convert/markdown-of.js'

const head = '<table><thead><tr><th>Port</th><th>Boats</th></tr></thead></table>'
const rows = '<tbody><tr><td>Cork</td><td>200</td></tr><tr><td>Faro</td><td>60</td></tr></tbody>'
const copy = '<thead><tr style="height:0"><th><div>Port</div></th><th><div>Boats</div></th></tr></thead>'
const whole = '| Port | Boats |\n| --- | --- |\n| Cork | 200 |\n| Faro | 60 |'

describe('a table whose head stays in view', () => {
  it.each([
    ['DataTables', `<div class="dataTables_scrollHead">${head}</div><div><table>${copy}${rows}</table></div>`],
    ['DataTables 2', `<div class="dt-scroll-head"><div>${head}</div></div><div><table>${copy}${rows}</table></div>`],
    ['Kendo', `<div class="k-grid-header"><div>${head}</div></div><div><table>${rows}</table></div>`],
    ['Bootstrap Table', `<div class="fixed-table-header">${head}</div><div><table>${copy}${rows}</table></div>`],
    ['Vuetify', `<div class="v-data-table__head">${head}</div><div><table>${copy}${rows}</table></div>`],
    ['Tablesorter', `<table>${copy}${rows}</table><div class="tablesorter-sticky-wrapper">${head}</div>`],
  ])('is one table: %s', (_, html) => {
    expect(markdownOf(html)).toBe(whole)
  })

  it('is not joined with another table', () => {
    const other = '<div><table><tr><th>Oil</th></tr><tr><td>12</td></tr></table></div>'
    expect(markdownOf(`<div class="dt-scroll-head">${head}</div>${other}`)).toContain('| Port | Boats |')
  })
})
