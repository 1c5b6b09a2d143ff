/** The end of a value. */
const END = String.raw`\s*(?:[;!}"']|$)`
const ZERO = String.raw`0*(?:\.0*)?`

/** Declarations that may hide text, as they are written. Each names the way of hiding by its first property. */
const SUSPICIOUS = [
  String.raw`display\s*:\s*none`,
  String.raw`visibility\s*:\s*(?:hidden|collapse)`,
  String.raw`opacity\s*[:(]\s*(?:${ZERO}|0?\.0\d*|[0-5]%)\s*(?:[;!})"']|$)`,
  String.raw`(?<!line-|border-|outline-|stroke-|min-)(?:height|width)\s*:\s*[01](?:\.\d+)?(?:[a-z%]{1,3})?${END}`,
  String.raw`clip(?:-path)?\s*:\s*[a-z]+\(`,
  String.raw`scale(?:3d|x|y)?\s*[:(]\s*\.?0`,
  String.raw`rotate[xy]\(\s*-?(?:90|270)d|matrix\(\s*0\s*,\s*0`,
  String.raw`-\d{4,}|-99\d|-\d\d+(?:\.\d+)?r?em|-\d{3,}(?:\.\d+)?v[wh]`,
  String.raw`(?:left|top|inset|translate\w*)\s*[:(]\s*(?:\d{4,}px|[1-9]\d{2,}v[wh])`,
  String.raw`text-indent\s*:\s*-?\d{3,}`,
  String.raw`font-size\s*:\s*(?:calc\(\s*)?(?:[0-2](?:\.\d+)?(?:p[xt])?|0?\.[01]\d*r?em|0[a-z%]*|\d(?:\.\d+)?%)[\s)]*(?:[;!}"']|$)`,
  String.raw`font\s*:[^;}]{0,40}?\s(?:0[a-z]*|[0-2](?:\.\d+)?p[xt])[\s/]`,
]

/** Colours of text that may be those of the background of nearly all pages, and those that no colour can be read from. */
const SUSPICIOUS_COLOUR = String.raw`(?:^|[;{\s"']|text-fill-)color\s*:\s*(?:#f[\da-f](?:f[\da-f]f[\da-f]|f)|#?[ef]{3,6}|white|snow|ivory|ghostwhite|transparent|rgba?\(|hsla?\(|var\(|#[\da-f]{3}0\b|#[\da-f]{6}0)`

const ways = SUSPICIOUS.join('|')

/** Matches a declaration that may hide text. */
export const MAY_HIDE = new RegExp(`(?<!\\w)(?:${ways})|${SUSPICIOUS_COLOUR}`, 'i')

/** Matches a declaration that may hide text otherwise than by its colour, or by one without any. */
export const MAY_HIDE_OTHERWISE = new RegExp(
  `(?<!\\w)(?:${ways})|(?:^|[;{\\s]|text-fill-)color\\s*:\\s*(?:transparent|rgba\\()`,
  'i',
)

/** Matches any colour of text as well. */
export const MAY_HIDE_BY_ANY_COLOUR = new RegExp(
  `(?<!\\w)(?:${ways})|(?:^|[;{\\s])(?:-webkit-text-fill-)?color\\s*:`,
  'i',
)
