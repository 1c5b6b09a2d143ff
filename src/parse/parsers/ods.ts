import { readOds } from '../../office/ods.js'
import { officeParser } from '../office-page.js'

/** Spreadsheets of the OpenDocument format. @see OpenDocument 1.3 */
export const ods = officeParser('ods', readOds)
