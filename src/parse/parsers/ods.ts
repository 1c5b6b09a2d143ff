import { readOds } from '../../office/odf/ods.js'
import { officeParser } from '../pages/office-page.js'

/** Spreadsheets of the OpenDocument format. @see OpenDocument 1.3 */
export const ods = officeParser('ods', readOds)
