import type { Element } from '../../html/tree.js'
import { createElement, type OfficeContent, textOfParts } from '../elements/create-element.js'
import { diagramTexts } from '../docx/diagram.js'
import { TrawlError } from '../../../base/errors.js'
import { DroppedLines, type DroppedText } from '../../../base/text/dropped-lines.js'
import { openPackage, type OfficePackage } from '../package/open-package.js'
import { Sheet, SheetBudget } from '../elements/sheet.js'
import { readSheet } from './xlsx-sheet.js'
import {
  chartSheetWarning,
  EMPTY_WORKBOOK_WARNING,
  formulaWarnings,
  hiddenWarning,
  leftOutWarnings,
} from '../warnings.js'
import { decodeEscapes, readHidingStyles, readNumberKinds } from './xlsx-values.js'
import { decodeXml, scanXml } from '../package/scan-xml.js'
import { at, child, childrenNamed } from '../package/xml.js'

/**
 * Reads a workbook: a heading, a table and the text boxes of each sheet that is not hidden. Formulas are shown by their cached
 * values.
 */
export function readXlsx(body: Uint8Array, { keepsHidden }: { readonly keepsHidden?: boolean } = {}): OfficeContent {
  const parts = openPackage(body, ['xl/workbook.xml'])
  const { main } = parts
  const workbook = parts.read(main)?.root
  const stringsPart = parts.partOf(main, 'sharedStrings')
  const strings = stringsPart === undefined ? undefined : parts.zip.read(stringsPart)
  const styles = parts.read(parts.partOf(main, 'styles'))?.root
  const hidingStyles = readHidingStyles(styles)
  const context = {
    strings: strings === undefined ? [] : readStrings(strings),
    kinds: readNumberKinds(styles),
    is1904: /^(?:1|true)$/.test(child(workbook, 'x:workbookPr')?.attributes['date1904'] ?? ''),
  }
  const content: Element[] = []
  const charts: string[] = []
  const warnings: string[] = []
  const hidden: string[] = []
  const drawings = new Set<string>()
  const leftOut = { charts: 0, diagrams: 0, documents: 0 }
  const hiddenParts = new Map<string, string>()
  const budget = new SheetBudget()
  const droppedCells = new DroppedLines()
  const hiddenCells: string[] = []
  let formulasWithoutValue = 0
  const sheets = childrenNamed(at(workbook, 'x:sheets'), 'x:sheet').slice(0, MAX_SHEETS)
  for (const { attributes } of sheets) {
    const name = attributes['name'] ?? ''
    const part = parts.relationsOf(main).get(attributes['r:id'] ?? '')
    if ((attributes['state'] ?? 'visible') !== 'visible') {
      hidden.push(name)
      if (part !== undefined && !part.isExternal && part.type !== 'chartsheet') hiddenParts.set(part.target, name)
      continue
    }
    const bytes = part === undefined || part.isExternal ? undefined : parts.zip.read(part.target)
    if (bytes === undefined || part === undefined) continue
    if (part.type === 'chartsheet') {
      charts.push(name)
      continue
    }
    const sheet = new Sheet(name, budget)
    const hiding = keepsHidden === true ? {} : { hiding: hidingStyles, hidden: droppedCells }
    readSheet(bytes, sheet, { ...context, relations: parts.relationsOf(part.target), ...hiding })
    formulasWithoutValue += sheet.formulasWithoutValue
    content.push(...sheet.build((sentence) => void warnings.push(sentence)))
    hiddenCells.push(...sheet.describeHidden(droppedCells))
    for (const drawing of partsOf(parts, part.target, 'drawing')) {
      // Programs write a drawing for each sheet. One that many sheets name would multiply its text.
      if (drawings.has(drawing)) continue
      drawings.add(drawing)
      content.push(...diagramTexts(parts.read(drawing)?.root).map((text) => createElement('p', {}, [text])))
      leftOut.charts += partsOf(parts, drawing, 'chart').length
    }
  }
  const isWhole = warnings.length === 0
  if (hidden.length > 0) warnings.push(hiddenWarning('sheet', hidden))
  warnings.push(...hiddenCells)
  if (charts.length > 0) warnings.push(chartSheetWarning(charts))
  warnings.push(...formulaWarnings(formulasWithoutValue), ...leftOutWarnings(leftOut))
  if (budget.isUnused) warnings.push(EMPTY_WORKBOOK_WARNING)
  const dropped = isWhole ? countSheets(hiddenParts, parts, context, droppedCells) : undefined
  const { unpackedBytes: sourceBytes } = parts.zip
  return { content, metadata: parts.metadata, warnings, sourceBytes, dropped }
}

/** Lists the paths of the parts of a type that a part is related to. */
const partsOf = ({ relationsOf }: OfficePackage, part: string, type: string): string[] =>
  [...relationsOf(part).values()].flatMap((one) => (one.type === type && !one.isExternal ? [one.target] : []))

/** Adds the words of hidden sheets, whose names are given by part, to `dropped`; undefined if they are larger than can be read. */
function countSheets(
  names: ReadonlyMap<string, string>,
  parts: OfficePackage,
  context: Omit<Parameters<typeof readSheet>[2], 'relations'>,
  dropped: DroppedLines,
): DroppedText | undefined {
  const budget = new SheetBudget()
  try {
    for (const [target, name] of names) {
      const sheet = new Sheet(name, budget)
      const bytes = parts.zip.read(target)
      if (bytes !== undefined) readSheet(bytes, sheet, { ...context, relations: parts.relationsOf(target) })
      const text = textOfParts(sheet.build(() => undefined))
      dropped.add({ selector: 'table', text, reason: 'is a hidden sheet' })
    }
  } catch (error) {
    if (error instanceof TrawlError) return undefined
    throw error
  }
  return budget.cells > 0 && budget.characters > 0 ? dropped : undefined
}

const MAX_SHEETS = 500

/**
 * Reads the shared strings, without formatting and phonetic text.
 *
 * @see ECMA-376 part 1, section 18.4
 */
function readStrings(bytes: Uint8Array): string[] {
  const strings: string[] = []
  let text = ''
  let isReading = false
  let inReading = 0
  scanXml(decodeXml(bytes), {
    open(name) {
      if (name === 'x:si') text = ''
      else if (name === 'x:rPh') inReading += 1
      else if (name === 'x:t') isReading = inReading === 0
    },
    text(data) {
      if (isReading) text += data
    },
    close(name) {
      if (name === 'x:t') isReading = false
      else if (name === 'x:rPh') inReading -= 1
      else if (name === 'x:si') strings.push(decodeEscapes(text))
    },
  })
  return strings
}
