import texts from '../../texts.json'
import { Article } from '../../parts/article.jsx'

const Page = () => <Article text={texts['app-article']} />
export default Page
