export { screenshot } from './screenshot.js'
export { branding } from './branding.js'
