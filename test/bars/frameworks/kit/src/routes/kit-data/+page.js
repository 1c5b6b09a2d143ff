export const load = async ({ fetch }) => ({ text: await (await fetch('/kit-data.json')).json() })
