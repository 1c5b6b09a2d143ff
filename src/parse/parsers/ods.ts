import { readOds } from '../../office/odf/ods.js'
import { officeParser } from '../pages/office-page.js'

/** Reads OpenDocument spreadsheets. @see https://docs.oasis-open.org/office/OpenDocument/v1.3/ */
export const ods = officeParser('ods', readOds)
