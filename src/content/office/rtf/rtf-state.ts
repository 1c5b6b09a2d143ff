import type { Element } from '../../html/tree.js'
import type { TextStyle } from '../elements/line-builder.js'
import type { HidingFormat } from '../elements/why-hidden.js'
import type { RtfField } from './rtf-field.js'
import type { RtfParagraph, RtfStory } from './rtf-story.js'

/** Destination of the text in a group. */
type Destination =
  | 'story'
  | 'skip'
  | 'fonts'
  | 'colours'
  | 'styles'
  | 'code'
  | 'form'
  | 'choice'
  | 'fallback'
  | 'marker'
  | 'bookmark'
  | 'property'
  | 'property name'
  | 'property value'

/** State of a group. A group inherits the state of the enclosing one, which is restored at its end. */
export interface RtfState {
  destination: Destination
  style: TextStyle
  isHidden: boolean
  /** Size, colour and background of the text: the latter by its number in the table of colours. */
  format: HidingFormat & { readonly groundNumber?: number | undefined }
  font: number | undefined
  /** Number of fallback characters after `\u`, for readers without Unicode. */
  unicodeSkip: number
  paragraph: RtfParagraph
  field: RtfField | undefined
  href: string | undefined
  story: RtfStory
  /** Metadata property that the text of this group is the value of. */
  property: string
  /** Enclosing drawing with its description. */
  drawing: { alt: string; picture?: Element } | undefined
  /** Callback at the end of the group. */
  onClose: (() => void) | undefined
}

export const PLAIN_PARAGRAPH: RtfParagraph = {
  list: undefined,
  level: 0,
  indent: 0,
  inTable: false,
  headingLevel: undefined,
  kind: undefined,
}

/** Maximum nesting of groups; deeper ones belong to the deepest. */
export const MAX_GROUP_DEPTH = 300

/** Control words of groups whose text is not displayed. */
export const UNSHOWN: ReadonlySet<string> = new Set(
  (
    'listtable listoverridetable revtbl rsidtbl generator filetbl xmlnstbl mmathPr latentstyles themedata ' +
    'colorschememapping datastore pgptbl header headerl headerr headerf footer footerl footerr footerf ftnsep ftnsepc ' +
    'ftncn aftnsep aftnsepc aftncn annotation atnid atnauthor atrfstart atrfend nonshppict objdata objclass bkmkend ' +
    'background pn nesttableprops tc xe template operator hlfr hlsrc protusertbl userprops docvar fontemb ' +
    'falt panose private private1 nonesttables listpicture do'
  ).split(' '),
)

/** Control words of groups that hidden text hides; other groups in it apply to their own text only. */
export const HIDEABLE: ReadonlySet<string> = new Set(['footnote', 'pict'])

/** Control words whose groups are read although `\*` marks them as optional. */
export const KNOWN_STARRED: ReadonlySet<string> = new Set([
  'fldinst',
  'formfield',
  'ffl',
  'ud',
  'bkmkstart',
  'shppict',
  'shpinst',
  'picprop',
  'footnote',
  'shptxt',
])

/** Control words that set the destination of a group's text. */
export const DESTINATIONS: ReadonlyMap<string, Destination> = new Map([
  ['fonttbl', 'fonts'],
  ['colortbl', 'colours'],
  ['stylesheet', 'styles'],
  ['info', 'property'],
  ['fldinst', 'code'],
  ['formfield', 'form'],
  ['ffl', 'choice'],
  // Text for programs without Unicode; the same text in Unicode follows as `ud`.
  ['upr', 'fallback'],
  ['listtext', 'marker'],
  ['pntext', 'marker'],
  ['bkmkstart', 'bookmark'],
  // Properties of drawings are separate groups.
  ['shpinst', 'property'],
  ['picprop', 'property'],
  ['sp', 'property'],
  ['sn', 'property name'],
  ['sv', 'property value'],
])

/** Tests if the text of a group is not a substitute for the same text in Unicode. */
export const isNoFallback = ({ destination }: RtfState): boolean => destination !== 'fallback'
