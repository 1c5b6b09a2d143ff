import { Article } from '../article.jsx'

export const clientLoader = async () => (await fetch('/api/router-fetch')).json()
export const HydrateFallback = () => <p>Loading</p>
const Page = ({ loaderData }) => <Article text={loaderData} />
export default Page
