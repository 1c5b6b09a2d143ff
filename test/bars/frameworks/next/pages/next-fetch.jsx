import { Fetched } from '../parts/fetched.jsx'

const Page = () => <Fetched page="next-fetch" />
export default Page
