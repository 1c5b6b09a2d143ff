import { readOdp } from '../../office/odf/odp.js'
import { officeParser } from '../pages/office-page.js'

/** Reads OpenDocument presentations. @see https://docs.oasis-open.org/office/OpenDocument/v1.3/ */
export const odp = officeParser('odp', readOdp)
