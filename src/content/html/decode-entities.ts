import { ownValue } from '../../base/collections/own-value.js'

const names: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', apos: "'" }

/** Decodes the entities that templates write into attribute values; other entities stay as they are. */
export const decodeEntities = (text: string): string =>
  text.replace(
    /&(?:(quot|amp|lt|gt|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
    (entity, name?: string, decimal?: string, hex?: string) => {
      if (name !== undefined) return ownValue(names, name.toLowerCase()) ?? entity
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : entity
    },
  )

/** Escapes a text for use between tags and in quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign)
