import { officeParser } from '../pages/office-page.js'

/** Reads OpenDocument presentations. @see https://docs.oasis-open.org/office/OpenDocument/v1.3/ */
export const odp = officeParser('odp', async () => (await import('../../office/odf/odp.js')).readOdp)
