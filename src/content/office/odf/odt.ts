import { append } from '../../html/tree.js'
import { createElement, type OfficeContent, takeChildren, wholeContent } from '../elements/create-element.js'
import { NoteRegister } from '../elements/notes.js'
import { type OpenContext, readOpenBlocks } from './odf-blocks.js'
import { openOpenDocument } from './odf-package.js'
import { isFilled, readOpenStyles } from './odf-styles.js'
import { CellRepeats } from './odf-table.js'
import { REPEATS_WARNING } from '../warnings.js'
import { descendants, elements } from '../package/xml.js'
import { DroppedLines } from '../../../base/text/dropped-lines.js'

/** Reads an OpenDocument text. Headers, footers, comments and deleted text are left out. */
export function readOdt(body: Uint8Array, { keepsHidden }: { readonly keepsHidden?: boolean } = {}): OfficeContent {
  const document = openOpenDocument(body)
  const notes = new NoteRegister()
  const hidden = keepsHidden === true ? undefined : new DroppedLines()
  const context: OpenContext = {
    styles: readOpenStyles([document.content, document.styles]),
    notes,
    noteBodies: new Map(),
    objectAt: document.objectAt,
    ends: { byId: new Map(), last: 0 },
    repeats: new CellRepeats(),
    depth: 0,
    hidden,
    isOnPaper: !descendants(document.styles, 'style:page-layout-properties').some(isFilled),
  }
  const root = createElement('div')
  readOpenBlocks(elements(document.body), root, context)
  const section = notes.section((key) => {
    const into = createElement('div')
    const note = context.noteBodies.get(key)
    if (note !== undefined) readOpenBlocks(elements(note), into, context)
    return takeChildren(into)
  })
  if (section !== undefined) append(root, section)
  const { metadata } = document
  const warnings = [...document.warnings, ...(context.repeats.isCut ? [REPEATS_WARNING] : [])]
  return wholeContent(root, { metadata, warnings, sourceBytes: document.sourceBytes, dropped: hidden })
}
