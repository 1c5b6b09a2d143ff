import { Article } from '../article.jsx'
import texts from '../../texts.json'

export const loader = () => ({ text: texts['router-article'] })
const Page = ({ loaderData }) => <Article text={loaderData.text} />
export default Page
