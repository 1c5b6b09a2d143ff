import { append } from '../../html/tree.js'
import { readWordBlocks, type BlockContext } from './docx-blocks.js'
import { OpenFields } from './docx-fields.js'
import { readNumbering } from './docx-numbering.js'
import { defaultLanguage, readWordStyles } from './docx-styles.js'
import { createElement, type OfficeContent, takeChildren } from '../elements/create-element.js'
import { NoteRegister } from '../elements/notes.js'
import { openPackage, type OfficePackage } from '../package/open-package.js'
import { brokenFile } from '../refusals.js'
import { child, childrenNamed, descendants, type TreePlan, type XmlElement } from '../package/xml.js'
import { DroppedLines, NOTHING_DROPPED } from '../../../base/text/dropped-lines.js'
import { leftOutWarnings, lossWarnings } from '../warnings.js'

/**
 * Parsing options: wrappers are replaced by their contents, and deleted text, comments and properties of content
 * controls are left out. Deleted rows, cells and paragraph ends have no such wrapper; their own properties say so.
 */
const PLAN: TreePlan = {
  unwrapped: new Set(['w:sdt', 'w:sdtContent', 'w:smartTag', 'w:customXml', 'w:ins', 'w:moveTo', 'w:dir', 'w:bdo']),
  isLeftOut: (name, parent) =>
    LEFT_OUT.has(name) || ((name === 'w:del' || name === 'w:moveFrom') && !PROPERTIES.has(parent)),
}

const LEFT_OUT = new Set([
  'w:sdtPr',
  'w:sdtEndPr',
  'w:smartTagPr',
  'w:customXmlPr',
  'w:rPrChange',
  'w:pPrChange',
  'w:tblPrChange',
  'w:trPrChange',
  'w:tcPrChange',
  'w:sectPr',
  'w:proofErr',
  'w:lastRenderedPageBreak',
  'w:tblGrid',
])
const PROPERTIES = new Set(['w:trPr', 'w:rPr'])

/**
 * Reads a .docx file. Headers, footers, comments, deleted and hidden text are left out, and so is text that no reader sees, unless
 * `keepsHidden` is set.
 */
export function readDocx(body: Uint8Array, { keepsHidden }: { readonly keepsHidden?: boolean } = {}): OfficeContent {
  const parts = openPackage(body, ['word/document.xml'])
  const { main } = parts
  const document = parts.read(main, PLAN)
  const story = child(document?.root, 'w:body')
  if (document === undefined || story === undefined) throw brokenFile('it has no main document part')
  const styles = parts.read(parts.partOf(main, 'styles'))?.root
  const notes = new NoteRegister()
  const hidden = keepsHidden === true ? undefined : new DroppedLines()
  const leftOut = { charts: 0, diagrams: 0, documents: 0 }
  const context: BlockContext = {
    styleOf: readWordStyles(styles),
    numbering: readNumbering(parts.read(parts.partOf(main, 'numbering'))?.root),
    relations: parts.relationsOf(main),
    notes,
    fields: new OpenFields(),
    readPart: (part) => parts.read(part)?.root,
    leftOut,
    // Where a picture behind the text lies is not known.
    isOnPaper:
      child(document.root, 'w:background') === undefined &&
      !descendants(story, 'wp:anchor').some(({ attributes }) => /^(?:1|true)$/.test(attributes['behindDoc'] ?? '')),
    hidden,
    depth: 0,
  }
  const root = createElement('div')
  readWordBlocks(story.children, root, context)
  const section = notes.section(makeNoteReader(parts, context))
  if (section !== undefined) append(root, section)
  const losses = lossWarnings(document)
  return {
    content: [root],
    metadata: { ...parts.metadata, language: parts.metadata.language ?? defaultLanguage(styles) },
    warnings: [...losses, ...leftOutWarnings(leftOut)],
    sourceBytes: parts.zip.unpackedBytes,
    dropped: losses.length === 0 && leftOut.documents === 0 ? (hidden ?? NOTHING_DROPPED) : undefined,
  }
}

/** Creates a reader of footnotes and endnotes, which parses the part of each kind on first use. */
function makeNoteReader(parts: OfficePackage, context: BlockContext) {
  const known = new Map<string, { byId: ReadonlyMap<string, XmlElement>; context: BlockContext }>()
  const open = (kind: string) => {
    const part = parts.partOf(parts.main, `${kind}s`)
    const elements = childrenNamed(parts.read(part, PLAN)?.root, `w:${kind}`)
    const found = {
      byId: new Map(elements.map((element) => [element.attributes['w:id'] ?? '', element])),
      context: { ...context, fields: new OpenFields(), relations: parts.relationsOf(part ?? '') },
    }
    known.set(kind, found)
    return found
  }
  return (key: string) => {
    const [kind = '', id = ''] = key.split(' ')
    const { byId, context: own } = known.get(kind) ?? open(kind)
    const into = createElement('div')
    readWordBlocks(byId.get(id)?.children ?? [], into, own)
    return takeChildren(into)
  }
}
