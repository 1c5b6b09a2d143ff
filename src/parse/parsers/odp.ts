import { readOdp } from '../../office/odf/odp.js'
import { officeParser } from '../pages/office-page.js'

/** Presentations of the OpenDocument format. @see OpenDocument 1.3 */
export const odp = officeParser('odp', readOdp)
