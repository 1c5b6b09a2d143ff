/** The end of a value. */
const END = String.raw`\s*(?:[;!}"']|$)`
/** Functions whose result is not written. */
const COMPUTED = String.raw`[^;{}:]{0,80}\b(?:var|calc|min|max|clamp|env|attr|if|progress|random|abs|sign|round|mod|rem|pow|sin|cos)\(`

/** Declarations that may hide text, as they are written. Each names the way of hiding by its first property. */
const SUSPICIOUS = [
  String.raw`display\s*:\s*none`,
  String.raw`visibility\s*:\s*(?:hidden|collapse)`,
  String.raw`opacity\s*[:(]\s*(?:-|\.[0-5]|0|[0-5]?\d(?:\.\d+)?%)(?![6-9]|\.[6-9])`,
  String.raw`(?<!line-|border-|outline-|stroke-|min-)(?:height|width|(?:block|inline)-size)\s*:\s*(?:[012](?:\.\d+)?|\.\d+)(?:[a-z]{1,3})?${END}`,
  String.raw`line-height\s*:\s*0?\.?0*(?:[a-z%]{1,3})?${END}`,
  String.raw`clip(?:-path)?\s*:\s*[a-z]+\(`,
  String.raw`mask(?:-image|-size)?\s*:`,
  String.raw`scale(?:3d|x|y)?\s*[:(]\s*(?:-?\.?0|[\d.]+[\s,]+-?\.?0)`,
  String.raw`rotate[xy3]|rotate\s*:\s*[xy]|matrix(?:3d)?\(`,
  String.raw`zoom\s*:\s*(?:\.|0|\d%|1\d?%)`,
  String.raw`grid-template-rows\s*:\s*0`,
  String.raw`-\d{4,}|-99\d|-\d\d+(?:\.\d+)?r?em|-\d{3,}(?:\.\d+)?(?:v[wh]|%)`,
  String.raw`(?:left|top|right|bottom|inset[a-z-]*|translate\w*)\s*[:(]\s*(?:\d{4,}(?:px|%)|[1-9]\d{2,}v[wh])`,
  String.raw`text-indent\s*:\s*-?\d{2,}`,
  String.raw`font-size\s*:\s*(?:[0-2](?:p[xtc]|[cm]m|q|%|v[a-z]+)?|[0-2]?\.\d+(?:p[xtc]|[cm]m|q|%|v[a-z]+)|0?\.[0-2]\d*[a-z]*|0[a-z%]*)${END}`,
  String.raw`font\s*:(?:[^;}]{0,40}?\s)?(?:0[a-z]*|[0-2]?(?:\.\d+)?(?:p[xt]|v[wh])|0?\.[0-2]\d*r?em)[\s/]`,
  String.raw`(?:display|visibility|opacity|font|font-size|text-indent|left|right|top|bottom|inset[a-z-]*|margin[a-z-]*|height|width|(?:block|inline)-size|transform|translate|scale|rotate|zoom|filter)\s*:${COMPUTED}`,
  String.raw`fill(?:-opacity)?\s*:`,
]

/** An escape within the name of a property, or at the begin of a value. */
const ESCAPED = String.raw`(?:^|[;{])\s*[a-z-]*\\[\da-z]|:\s*[a-z-]*\\[\da-z]`

/** Colours of text that may be those of the background of nearly all pages, and those that no colour can be read from. */
const SUSPICIOUS_COLOUR = String.raw`(?:^|[;{\s"']|text-fill-)color\s*:\s*(?:#f[\da-f](?:f[\da-f]f[\da-f]|f)|#?[ef]{3,8}|[a-z]*(?:white|snow|ivory|mintcream|azure|aliceblue|seashell|honeydew|lightyellow|lavenderblush|oldlace|linen|cornsilk|lightcyan|canvas)|transparent|[a-z-]+\(|#[\da-f]{3}0\b|#[\da-f]{6}0)`

const ways = SUSPICIOUS.join('|')

/** Matches a declaration that may hide text. */
export const MAY_HIDE = new RegExp(`(?<![a-z\\d_])(?:${ways})|${ESCAPED}|${SUSPICIOUS_COLOUR}`, 'i')

/** Matches a declaration that may hide text otherwise than by its colour, or by one without any. */
export const MAY_HIDE_OTHERWISE = new RegExp(
  `(?<![a-z\\d_])(?:${ways})|${ESCAPED}|(?:^|[;{\\s]|text-fill-)color\\s*:\\s*(?:transparent|[a-z-]+\\()`,
  'i',
)

/** Matches any colour of text as well, and backgrounds in the colour of text without one. */
export const MAY_HIDE_BY_ANY_COLOUR = new RegExp(
  `(?<![a-z\\d_])(?:${ways})|${ESCAPED}|(?:^|[;{\\s])(?:-webkit-text-fill-)?color\\s*:|background(?:-color)?\\s*:[^;}]{0,60}(?:#0|#1|black|rgb)`,
  'i',
)
