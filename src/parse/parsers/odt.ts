import { readOdt } from '../../office/odf/odt.js'
import { officeParser } from '../pages/office-page.js'

/** Texts of the OpenDocument format. @see OpenDocument 1.3 */
export const odt = officeParser('odt', readOdt)
