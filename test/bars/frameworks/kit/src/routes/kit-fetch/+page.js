export const ssr = false
export const load = async ({ fetch }) => ({ text: await (await fetch('/api/kit-fetch')).json() })
