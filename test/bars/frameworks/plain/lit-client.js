import texts from './texts.json'

// What takes over what the server rendered must be there before the first element is.
await import('@lit-labs/ssr-client/lit-element-hydrate-support.js')
await import('./lit-parts.js')

const { page, mode } = document.documentElement.dataset
if (mode === 'bundle') document.querySelector('text-page').text = texts[page]
