import type { Element } from '../../html/tree.js'
import type { TextStyle } from '../elements/line-builder.js'
import type { RtfParagraph, RtfStory } from './rtf-story.js'

/** Where text goes that stands in a group. */
export type Destination =
  | 'story'
  | 'skip'
  | 'fonts'
  | 'styles'
  | 'code'
  | 'marker'
  | 'bookmark'
  | 'property'
  | 'property name'
  | 'property value'

/** A field: its code, and where its result leads. */
export interface RtfField {
  code: string
}

/** What holds in a group. A group begins with what holds around it, and ends with that again. */
export interface RtfState {
  destination: Destination
  style: TextStyle
  isHidden: boolean
  font: number | undefined
  /** Letters after a `\u` that stand for it where Unicode is not known. */
  unicodeSkip: number
  paragraph: RtfParagraph
  field: RtfField | undefined
  href: string | undefined
  story: RtfStory
  /** Which of the file's properties the text is. */
  property: string
  /** The drawing around, and what it is described by. */
  drawing: { alt: string; picture?: Element } | undefined
  /** What is to be done when the group ends. */
  onClose: (() => void) | undefined
}

export const PLAIN_PARAGRAPH: RtfParagraph = {
  isListed: false,
  level: 0,
  inTable: false,
  headingLevel: undefined,
  kind: undefined,
}

/** Groups inside of each other; what is deeper belongs to the deepest. */
export const DEEPEST_GROUP = 300

/** Control words that begin a group whose text is not shown. */
export const UNSHOWN: ReadonlySet<string> = new Set(
  (
    'colortbl listtable listoverridetable revtbl rsidtbl generator filetbl xmlnstbl mmathPr latentstyles themedata ' +
    'colorschememapping datastore pgptbl header headerl headerr headerf footer footerl footerr footerf ftnsep ftnsepc ' +
    'ftncn aftnsep aftnsepc aftncn annotation atnid atnauthor atrfstart atrfend nonshppict objdata objclass bkmkend ' +
    'background pn nesttableprops tc xe template operator hlfr hlsrc protusertbl userprops docvar formfield fontemb ' +
    'falt panose private private1 nonesttables listpicture do'
  ).split(' '),
)

/** Control words behind `\*` that begin a group which is read all the same. */
export const KNOWN_STARRED: ReadonlySet<string> = new Set([
  'fldinst',
  'bkmkstart',
  'shppict',
  'shpinst',
  'picprop',
  'footnote',
  'shptxt',
])

/** Control words that say where the text of a group goes. */
export const DESTINATIONS: ReadonlyMap<string, Destination> = new Map([
  ['fonttbl', 'fonts'],
  ['stylesheet', 'styles'],
  ['info', 'property'],
  ['fldinst', 'code'],
  ['fldrslt', 'story'],
  ['listtext', 'marker'],
  ['pntext', 'marker'],
  ['bkmkstart', 'bookmark'],
  // The properties of drawings are groups of their own.
  ['shpinst', 'property'],
  ['picprop', 'property'],
  ['sp', 'property'],
  ['sn', 'property name'],
  ['sv', 'property value'],
])
