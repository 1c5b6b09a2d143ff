/**
 * First words of utility classes: those of Tailwind, Bootstrap and similar vocabularies, of which each class sets one
 * property of the style.
 */
const FAMILIES: ReadonlySet<string> = new Set(
  (
    'text font leading tracking bg border rounded shadow opacity flex grid col row gap space items justify self place content ' +
    'order grow shrink basis p px py pt pb pl pr ps pe m mx my mt mb ml mr ms me w h min max size top left right bottom inset ' +
    'start end z overflow object align whitespace break line list decoration underline cursor select pointer transition duration ' +
    'ease delay animate transform scale rotate skew translate origin ring outline divide fill stroke aspect columns backdrop blur ' +
    'brightness contrast accent caret from via to mix filter drop d fw fs lh ff fst fz position float clear visible table display ' +
    'user hyphens indent will touch snap scroll resize appearance box is has not last first f g gx gy vstack hstack link icon'
  ).split(' '),
)

/** Words of their values: sizes, weights, colours, places, states and keywords of CSS. */
const VALUES: ReadonlySet<string> = new Set(
  (
    'xs sm md lg xl xxl base none auto full screen fit min max px half small medium large huge tiny big default ' +
    'thin extralight light normal regular semibold bold bolder extrabold black lighter heavy heading headings ' +
    'tighter tight snug relaxed loose wide wider widest copy solid ' +
    'white gray grey slate zinc neutral stone red orange amber yellow lime green emerald teal cyan sky blue indigo violet ' +
    'purple fuchsia pink rose transparent current inherit primary secondary tertiary success danger warning info muted dark ' +
    'subtle emphasis body foreground background accent ' +
    'left center centre right top bottom start end middle between around evenly baseline stretch first last x y t b l r s e ' +
    'italic underline uppercase lowercase capitalize overline through dashed dotted double hidden visible scroll clip ' +
    'ellipsis nowrap wrap decoration pre line break words all balance pretty block inline flex grid table contents col row cols rows span ' +
    'reverse dense grow shrink cover contain fill sans serif mono monospace colors opacity shadow width height transform in out linear ' +
    'pointer text move grab wait help not allowed cell family truncate clamp gutters absolute relative fixed sticky static'
  ).split(' '),
)

/** Utility classes of one word. */
const SINGLE: ReadonlySet<string> = new Set(
  'antialiased italic uppercase lowercase capitalize truncate underline flex grid hidden block inline relative absolute fixed sticky prose peer group isolate contents'.split(
    ' ',
  ),
)

/**
 * True for a class that tells about the style alone: `text-sm`, `leading-tight`, `md:font-semibold`, `w-[40px]`, `-mt-2`. The
 * grammar decides, so that `text-author` and `list-price` are none.
 */
export function isUtilityClass(name: string): boolean {
  // Variants and arbitrary values are in no other vocabulary.
  if (/[:[\]/()!]/u.test(name)) return true
  const [family = '', ...values] = name.replace(/^-/u, '').split('-')
  if (values.length === 0) return SINGLE.has(family)
  return FAMILIES.has(family) && values.every((value) => /^\d*(?:[.,]\d+)?$/u.test(value) || isValue(value))
}

const isValue = (word: string): boolean => VALUES.has(word.replace(/^\d(?=x[ls]$)/u, ''))
