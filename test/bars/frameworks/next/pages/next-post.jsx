import dynamic from 'next/dynamic'
import texts from '../texts.json'

const Post = dynamic(() => import('../parts/post.jsx'), { ssr: false })

export const getStaticProps = () => {
  const { title, sentences } = texts['next-post']
  const contentHtml = sentences.map((sentence) => `<p>${sentence}</p>`).join('')
  return { props: { post: { id: 12, slug: 'next-post', title, contentHtml, author: { name: 'A. Writer' } } } }
}
const Page = ({ post }) => <Post post={post} />
export default Page
