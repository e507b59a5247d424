/** When this document began, in milliseconds: no two documents that are open have the same moment. */
export default () => performance.timeOrigin;
