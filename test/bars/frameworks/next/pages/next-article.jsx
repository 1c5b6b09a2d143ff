import texts from '../texts.json'
import { Article } from '../parts/article.jsx'

export const getStaticProps = () => ({ props: { text: texts['next-article'] } })
const Page = ({ text }) => <Article text={text} />
export default Page
