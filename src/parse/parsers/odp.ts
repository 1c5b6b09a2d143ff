import { readOdp } from '../../office/odp.js'
import { officeParser } from '../office-page.js'

/** Presentations of the OpenDocument format. @see OpenDocument 1.3 */
export const odp = officeParser('odp', readOdp)
