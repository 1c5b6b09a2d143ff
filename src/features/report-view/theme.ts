import { byId } from './dom.js'

/** Names of the themes with the value of `color-scheme`. */
const THEMES = [
  ['system', 'light dark'],
  ['light', 'light'],
  ['dark', 'dark'],
] as const

/** Lets the reader choose a theme. Nothing is stored: a file has no storage of its own. */
export function offerThemes(): void {
  const button = byId('theme')
  let at = 0
  button.addEventListener('click', () => {
    at = (at + 1) % THEMES.length
    const [name, scheme] = THEMES[at] ?? THEMES[0]
    document.documentElement.style.colorScheme = scheme
    button.textContent = `Theme: ${name}`
  })
}
