export { aiSdk } from './ai-sdk.js'
export { openAiCompatible } from './open-ai-compatible.js'
