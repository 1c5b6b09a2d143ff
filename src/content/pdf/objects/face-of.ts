import type { Face } from '../page-text.js'

// TeX fonts do not set the flag of monospaced fonts: cmtt, ectt, sftt, lmmono, txtt, …
const MONO =
  /mono|cour(?:ier)?|typewriter|consol|terminal|inconsolata|menlo|monaco|fixed|(?:^|[+-])(?:cm|ec|sf|ae|la|tx|px|lc|bitstream)[a-z]?(?:tt|sltt|itt|tctt)\d*|nimbusmon|luximono|sourcecode|firacode/i
const BOLD = /bold|black|heavy|demi|(?:^|[+-])(?:cm|ec|sf|la)(?:bx|b|ssbx|bxti|bxsl|rb|xc)\d|-medi|(?:^|\W)bd(?:\W|$)/i
const ITALIC = /ital|obliq|slanted|(?:^|[+-])(?:cm|ec|sf|la)(?:ti|sl|ssi|itt|sltt|bxti|bxsl|mi)\d|-obli|-reguital/i

/** Returns the style of a font from its name and flags. */
export function faceOf(name: string, flags: { isBold: boolean; isItalic: boolean; isMono: boolean }): Face {
  return {
    isBold: flags.isBold || BOLD.test(name),
    isItalic: flags.isItalic || ITALIC.test(name),
    isMono: flags.isMono || MONO.test(name),
  }
}
