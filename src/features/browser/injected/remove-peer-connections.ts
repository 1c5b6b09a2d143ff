import type { PageFunctions } from './page-functions.js'

/** Removes the APIs that connect a page over UDP, past its proxy. Runs in every document before its own scripts. */
export const removePeerConnections: PageFunctions['removePeerConnections'] = () => {
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport']) {
    Reflect.deleteProperty(window, name)
  }
}
