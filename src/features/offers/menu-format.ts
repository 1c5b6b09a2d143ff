import type { EnrichFormat } from '../../kernel/enrich/format.js'
import type { Menu } from './menu.js'
import type { FoundMenu } from './find-menu.js'
import { readMenu, readShownMenu } from './read-menu.js'
import { writeMenu } from './write-menu.js'

/** The menu that the page shows, read without a model: from its structured data, otherwise from its layout. */
export interface MenuFormat {
  type: 'menu'
}

/** Fields that `menu` fills. */
interface MenuFields {
  /** The menu; absent, with a `warning`, when the page shows none clearly. */
  menu?: Menu
}

/** @see docs/compatibility/requests.md#formats */
export const menu: EnrichFormat<MenuFormat, MenuFields> = {
  type: 'menu',
  traits: ['data'],
  needs: { facts: () => true },
  async produce({ url }, _, { inputs, tree }) {
    const { items = [] } = inputs ?? {}
    const stated = readMenu(items, url)
    if (stated) return { fields: { menu: writeMenu(stated, { url, items, isStated: true }) } }
    const shown = (await tree.run('offers/menu')) as FoundMenu | undefined
    return shown
      ? { fields: { menu: writeMenu(readShownMenu(shown), { url, items, isStated: false }) } }
      : { fields: {}, warnings: [UNSURE] }
  },
}

const UNSURE = 'There is no `menu`: the page does not clearly show dishes with their prices.'
